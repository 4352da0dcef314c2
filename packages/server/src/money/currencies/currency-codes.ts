/**
 * The currencies in which Stripe charges cards, by https://docs.stripe.com/currencies (read on 2026-11-30), without those that
 * were replaced since (ANG, STD). An account at Stripe may be allowed fewer.
 */
const CODES = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CVE CZK DJF
  DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD
  KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR
  PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV
  WST XAF XCD XCG XOF XPF YER ZAR ZMW`;

/** Currencies without decimals. */
const WITHOUT_DECIMALS = new Set("BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF".split(" "));
/** Currencies with three decimals, of which Stripe charges only amounts whose last one is 0. */
const WITH_THREE_DECIMALS = new Set("BHD JOD KWD OMR TND".split(" "));

/** The code of the currency of prices, credits and the ledger. */
export const USD = "USD";

/** The codes of the currencies that can be switched on: Stripe charges in them, and the texts of this runtime know them. */
export const AVAILABLE_CURRENCIES: readonly string[] = CODES.trim()
  .split(/\s+/)
  .filter((code) => Intl.supportedValuesOf("currency").includes(code));

/** Returns the number of decimals of a currency. The minor unit is the last of them, so amounts are whole numbers. */
export function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0;
  return WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
}

/** Returns of how many minor units the amounts that are charged are multiples. */
export function stepOf(currency: string): number {
  return WITH_THREE_DECIMALS.has(currency) ? 10 : 1;
}
