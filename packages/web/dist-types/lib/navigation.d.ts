/**
 * Checks where a script wants to go. Addresses of other sites need `external`; protocols that run code or read files are
 * refused always. Answers the address to go to.
 */
export declare function checkNavigation(to: string, { external, origin }?: {
    external?: boolean | undefined;
    origin?: string | undefined;
}): string;
/** Refuses a payload address that names a host. */
export declare function checkPayloadUrl(url: string): string;
