"""Requests that are not to be carried out: a layer of pairs, each with its nearest feasible one."""
