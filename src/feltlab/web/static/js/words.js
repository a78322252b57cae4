// Words and amounts as people write them.

export function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

export function dollars(cents) {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString("en-US");
  const rest = Math.abs(cents) % 100;
  return `${cents < 0 ? "−" : ""}$${whole}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

export function signed(cents) {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}
