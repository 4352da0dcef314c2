type VatIdRule = {
  /** The part after the prefix, by the structure that VIES and the countries themselves publish. */
  structure: RegExp;
  /** Checks the digits, where the country publishes a simple rule. */
  hasValidDigits?: (rest: string) => boolean;
};

/** Countries whose VAT ids begin with another prefix than the code of the country. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = { GR: ["EL"], GB: ["GB", "XI"] };

const RULES: Readonly<Record<string, VatIdRule>> = {
  AT: { structure: /^U\d{8}$/ },
  BE: { structure: /^[01]\d{9}$/, hasValidDigits: (rest) => 97 - (toNumber(rest, 0, 8) % 97) === toNumber(rest, 8) },
  BG: { structure: /^\d{9,10}$/ },
  CH: {
    structure: /^E\d{9}(MWST|TVA|IVA)?$/,
    hasValidDigits: (rest) => isWeighted(rest.slice(1, 10), [5, 4, 3, 2, 7, 6, 5, 4, 1]),
  },
  CY: { structure: /^\d{8}[A-Z]$/ },
  CZ: { structure: /^\d{8,10}$/ },
  DE: { structure: /^\d{9}$/, hasValidDigits: isGermanVatId },
  DK: { structure: /^\d{8}$/, hasValidDigits: (rest) => isWeighted(rest, [2, 7, 6, 5, 4, 3, 2, 1]) },
  EE: { structure: /^\d{9}$/ },
  EL: { structure: /^\d{9}$/ },
  ES: { structure: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/ },
  FI: { structure: /^\d{8}$/, hasValidDigits: (rest) => isWeighted(rest, [7, 9, 10, 5, 8, 4, 2, 1]) },
  FR: { structure: /^[A-HJ-NP-Z0-9]{2}\d{9}$/, hasValidDigits: isFrenchVatId },
  GB: { structure: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/ },
  HR: { structure: /^\d{11}$/ },
  HU: { structure: /^\d{8}$/ },
  IE: { structure: /^(\d{7}[A-Z]{1,2}|\d[A-Z+*]\d{5}[A-Z])$/ },
  IT: { structure: /^\d{11}$/, hasValidDigits: isLuhn },
  LT: { structure: /^(\d{9}|\d{12})$/ },
  LU: { structure: /^\d{8}$/, hasValidDigits: (rest) => toNumber(rest, 0, 6) % 89 === toNumber(rest, 6) },
  LV: { structure: /^\d{11}$/ },
  MT: { structure: /^\d{8}$/ },
  NL: { structure: /^[A-Z0-9+*]{9}B\d{2}$/ },
  NO: {
    structure: /^\d{9}(MVA)?$/,
    hasValidDigits: (rest) => isWeighted(rest.slice(0, 9), [3, 2, 7, 6, 5, 4, 3, 2, 1]),
  },
  PL: { structure: /^\d{10}$/ },
  PT: { structure: /^\d{9}$/ },
  RO: { structure: /^\d{2,10}$/ },
  SE: { structure: /^\d{12}$/ },
  SI: { structure: /^\d{8}$/ },
  SK: { structure: /^\d{10}$/ },
  XI: { structure: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/ },
};

/** A VAT id in its usual form, or what is wrong with it, to follow "vat_id is not valid: it". */
export type ParsedVatId = { vatId: string } | { problem: string };

/**
 * Checks a VAT id by the structure that its country publishes, and its check digits where the rule is simple. Whether it was
 * issued is not asked. Ids of countries without a rule here are accepted with 4 to 20 letters and digits.
 */
export function parseVatId(text: string, country: string): ParsedVatId {
  const vatId = text.toUpperCase().replaceAll(/[\s.\-/]/g, "");
  const prefixes = PREFIXES[country] ?? [country];
  if (!prefixes.some((prefix) => prefix in RULES))
    return /^[A-Z0-9]{4,20}$/.test(vatId) ? { vatId } : { problem: "must be 4 to 20 letters and digits" };
  const prefix = prefixes.find((one) => vatId.startsWith(one));
  if (prefix === undefined) return { problem: `must begin with ${prefixes.join(" or ")}, as those of ${country} do` };
  const rest = vatId.slice(prefix.length);
  const rule = RULES[prefix];
  if (!rule?.structure.test(rest)) return { problem: `does not have the form of the VAT ids of ${country}` };
  if (rule.hasValidDigits?.(rest) === false) return { problem: "has a wrong digit, since its check digits do not fit" };
  return { vatId };
}

function toNumber(text: string, start: number, end?: number): number {
  return Number(text.slice(start, end));
}

/** Returns whether the digits, multiplied by the weights, add up to a multiple of 11. */
function isWeighted(digits: string, weights: readonly number[]): boolean {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0) % 11 === 0;
}

/** ISO 7064, MOD 11,10. */
function isGermanVatId(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (2 * sum) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** The two characters before the nine digits of the SIREN; only a key of two digits has a published rule. */
function isFrenchVatId(rest: string): boolean {
  const key = rest.slice(0, 2);
  return !/^\d\d$/.test(key) || (12 + 3 * (toNumber(rest, 2) % 97)) % 97 === Number(key);
}

function isLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
