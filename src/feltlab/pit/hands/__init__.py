"""The rounds that a player has played: found by the index of accounts, and judged choice by choice."""
