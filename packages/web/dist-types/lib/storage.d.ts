/** The browser's storage, which may be full, closed to us, or hold anything: reading gives null then, writing false. */
export declare const storage: {
    get(key: string): string | null;
    set(key: string, value: string): boolean;
    remove(key: string): void;
};
