"""One file per check; each ships a spoiled artifact that it must reject."""
