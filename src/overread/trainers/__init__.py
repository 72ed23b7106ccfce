"""Rewards where people train: one reward, and a thin adapter for the call of each trainer."""

from overread.trainers.reward import Reward, Rewarder

__all__ = ["Reward", "Rewarder"]
