"""The one door for data: from what a user holds to plain columns."""
