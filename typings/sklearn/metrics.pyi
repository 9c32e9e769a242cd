from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

def roc_auc_score(y_true: Sequence[int], y_score: npt.NDArray[Any]) -> float: ...
