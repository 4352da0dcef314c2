/** The page to go to after signing in: a path of this site, or the home page for everything else. */
export declare function safeReturnTo(wanted: string | null | undefined, origin?: string): string;
