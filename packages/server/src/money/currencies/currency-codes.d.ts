/** The code of the currency of prices, credits and the ledger. */
export declare const USD = "USD";
/** The codes of the currencies that can be switched on: Stripe charges in them, and the texts of this runtime know them. */
export declare const AVAILABLE_CURRENCIES: readonly string[];
/** Returns the number of decimals of a currency. The minor unit is the last of them, so amounts are whole numbers. */
export declare function decimalsOf(currency: string): number;
/** Returns of how many minor units the amounts that are charged are multiples. */
export declare function stepOf(currency: string): number;
