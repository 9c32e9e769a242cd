"""What complexity operators put in of a trade's own: written for one domain, and sifted."""
