"""Puts several cases into one session, where right answers depend on earlier cases."""
