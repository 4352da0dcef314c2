const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

/** $0.10: what a million tokens cost, from the price of one as the server writes it. */
export function perMillion(price: string): string {
  // Prices are decimals of up to twelve places: rounding takes back what binary fractions add.
  return dollars.format(Math.round(Number(price) * 1e12) / 1e6);
}
