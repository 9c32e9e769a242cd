from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

class DecisionTreeClassifier:
    def __init__(self, *, max_depth: int, random_state: int) -> None: ...
    def fit(
        self, rows: npt.NDArray[np.float32], answers: Sequence[str]
    ) -> DecisionTreeClassifier: ...
    def predict(self, rows: npt.NDArray[np.float32]) -> Iterable[object]: ...
