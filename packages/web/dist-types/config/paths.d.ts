/** Addresses of the site, written in one place. */
export declare const paths: {
    readonly home: "/";
    readonly models: (query?: {
        search?: string;
        family?: string;
    }) => string;
    readonly model: (id: string, tab?: "readme" | "reviews") => string;
    readonly chat: (model?: string) => string;
    readonly login: (returnTo?: string) => string;
    readonly register: (returnTo?: string) => string;
    readonly apiKeys: "/account/api-keys";
    readonly account: "/account";
    readonly profile: "/account/profile";
    readonly usage: "/account/usage";
    readonly admin: "/admin";
    readonly docs: (slug?: string) => string;
    readonly pricing: "/pricing";
    readonly status: "/status";
};
