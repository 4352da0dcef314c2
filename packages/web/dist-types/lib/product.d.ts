/** The operator's name for the product, which the server writes into the page. */
export declare function productName(): string;
