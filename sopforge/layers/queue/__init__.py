"""Several cases in one session: a layer in which what is right hangs on earlier cases."""
