/** Shows the secret of a new key, this one time. It closes only when the person says so. */
export declare function SecretDialog({ created, close }: {
    created: {
        name: string;
        secret: string;
    } | null;
    close(): void;
}): import("react").JSX.Element;
