/** 48,310; an en dash for nothing, "unknown" is for the caller to say. */
export declare const count: (value: number) => string;
/** 7.6B, 33B, 1.0T, 494M. */
export declare function size(parameters: number | null): string;
/** 40K for 40,960 tokens. */
export declare function context(tokens: number | null): string;
/** 2 minutes ago, yesterday, 2026-03-01. */
export declare function moment(date: Date, now?: Date): string;
export declare const day: (date: Date) => string;
