/**
 * After a new version was put in place, pages of the old one ask for files that are gone: the page is loaded again, once
 * for each path within ten seconds. Answers whether it is being loaded again.
 */
export declare function reloadForLostChunk(error: unknown, path: string, now?: number, reload?: () => void): boolean;
