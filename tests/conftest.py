"""What all tests share: the Hypothesis profiles.

``ci`` (the default) draws the same examples every time and has no deadline; choose
``thorough`` by ``HYPOTHESIS_PROFILE=thorough`` for many more, different ones.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough",
    parent=settings.get_profile("ci"),
    derandomize=False,
    max_examples=2000,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
