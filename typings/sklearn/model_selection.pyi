from collections.abc import Sequence
from typing import Any

import numpy.typing as npt
from sklearn.ensemble import RandomForestClassifier

class StratifiedKFold:
    def __init__(self, n_splits: int, *, shuffle: bool = ..., random_state: int = ...) -> None: ...

def cross_val_predict(
    estimator: RandomForestClassifier,
    X: Sequence[Sequence[int]],
    y: Sequence[int],
    *,
    cv: StratifiedKFold,
    method: str,
) -> npt.NDArray[Any]: ...
