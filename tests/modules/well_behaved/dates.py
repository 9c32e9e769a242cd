"""Computes with dates and times, and reads and writes them."""

import calendar
from datetime import date, datetime, time, timedelta, timezone


class GoodManager:
    def run(self, *, how, text="2024-02-28"):
        return getattr(self, how)(text)

    def parse(self, text):
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat()

    def parse_words(self, text):
        return datetime.strptime(text, "%A, %d %B %Y %I:%M %p").isoformat()

    def parse_or_report(self, text):
        try:
            return datetime.strptime(text, "%Y-%m-%d").isoformat()
        except ValueError as raised:
            return str(raised)

    def words(self, text):
        return date.fromisoformat(text).strftime("%a %d %b %Y, day %j, week %V")

    def after_two_days(self, text):
        return (date.fromisoformat(text) + timedelta(days=2)).isoformat()

    def between(self, text):
        return (date(2025, 3, 1) - date.fromisoformat(text)).days

    def weekday(self, text):
        return [calendar.day_name[date.fromisoformat(text).weekday()], calendar.isleap(2024)]

    def month(self, text):
        return calendar.monthrange(2024, 2)[1]

    def page(self, text):
        return calendar.month(2024, 2).splitlines()[2]

    def zone(self, text):
        east = timezone(timedelta(hours=5, minutes=30))
        moment = datetime.combine(date.fromisoformat(text), time(12), tzinfo=timezone.utc)
        return moment.astimezone(east).isoformat()

    def seconds(self, text):
        moment = datetime.fromisoformat(text).replace(tzinfo=timezone.utc)
        return int(moment.timestamp())
