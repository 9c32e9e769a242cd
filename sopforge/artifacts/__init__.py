"""Makes what agents get: SOPs, APIs, tools and packages, at each level of complexity."""
