"""Reminders by mail."""

from __future__ import annotations

import smtplib
from email.message import EmailMessage

from desk.config import load_settings
from desk.loans import Loan


def send_reminder(loan: Loan) -> None:
    """Ask a member to bring a tool back."""
    message = EmailMessage()
    message["From"] = load_settings().sender
    message["To"] = loan.member.email
    message["Subject"] = f"Please bring back: {loan.tool}"
    message.set_content(f"It was due on {loan.due:%d %B}.")
    with smtplib.SMTP("localhost") as server:
        server.send_message(message)
