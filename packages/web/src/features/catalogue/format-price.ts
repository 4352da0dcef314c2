const dollarFormat = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

/** Returns the price of a million tokens, such as "$0.10", from the server's price of one token. */
export function formatPricePerMillion(price: string): string {
  // Prices have up to twelve decimals: rounding removes binary floating-point errors.
  return dollarFormat.format(Math.round(Number(price) * 1e12) / 1e6);
}
