"""Runs of the model author whose answers are recorded: a brief, a script, and the completions.

Each folder holds ``brief.yaml``, ``script.yaml`` (what reviewers ask for at which stage) and
``completions/``, one file per answer under the digest of its whole question. The questions
themselves are made anew at every replay, and are not kept.
"""
