/** The member states of the EU, whose businesses owe the VAT on services from other member states themselves. */
const EU_COUNTRIES: ReadonlySet<string> = new Set(
  "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

/** Returns whether a country is a member state of the EU. */
export function isInEu(country: string): boolean {
  return EU_COUNTRIES.has(country);
}

/** Returns the member states of the EU other than the seller's. */
export function listOtherEuCountries(sellerCountry: string): string[] {
  return [...EU_COUNTRIES].filter((country) => country !== sellerCountry);
}
