"""Runs of the model author from briefs in prose: one recorded, others answered from a model.

Each folder holds ``brief.yaml`` and ``script.yaml`` (what reviewers ask for at which stage). Where
there is ``completions/``, it has one file per answer under the digest of its whole question; the
questions themselves are made anew at every replay, and are not kept. Where there is ``model.yaml``,
its facts answer whatever is asked: ``deriving.py``.
"""
