"""Makes tasks harder with layers around a package's environment: one sub-package per dial."""
