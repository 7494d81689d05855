"""Reminders by mail: queued first, then sent together."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage

from desk.config import load_settings
from desk.loans import Loan

QUEUE: list[EmailMessage] = []


def send_reminder(loan: Loan) -> None:
    """Queue a mail that asks a member to bring a tool back."""
    message = EmailMessage()
    message["From"] = load_settings().sender
    message["To"] = loan.member.email
    message["Subject"] = f"Please bring back: {loan.tool}"
    message.set_content(f"It was due on {loan.due:%d %B}.")
    QUEUE.append(message)


def send_queued() -> None:
    """Send everything that waits, over one connection."""
    with smtplib.SMTP("localhost") as server:
        while QUEUE:
            server.send_message(QUEUE.pop(0))
