"""Shows each stage's artifact to domain experts: one module per stage."""
