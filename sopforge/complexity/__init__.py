"""Complexity operators: each makes a domain harder; but for those of variants, answers stay."""
