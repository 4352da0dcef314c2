import type { Schemas } from "@feather/sdk";
export type ApiKey = Schemas["ApiKey"];
export declare const keysQuery: import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    items: {
        id: string;
        name: string;
        prefix: string;
        last4: string;
        scopes: ("admin" | "api.access" | "user.read" | "user.write")[];
        allowed_models: string[];
        ip_allowlist: string[];
        max_concurrency: number | null;
        spend_limit_nano_usd: string | null;
        limit_reset: "none" | "day" | "week" | "month";
        expires_at: Date | null;
        disabled: boolean;
        created_by: string | null;
        last_used_at: Date | null;
        created_at: Date;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
}, Error, {
    items: {
        id: string;
        name: string;
        prefix: string;
        last4: string;
        scopes: ("admin" | "api.access" | "user.read" | "user.write")[];
        allowed_models: string[];
        ip_allowlist: string[];
        max_concurrency: number | null;
        spend_limit_nano_usd: string | null;
        limit_reset: "none" | "day" | "week" | "month";
        expires_at: Date | null;
        disabled: boolean;
        created_by: string | null;
        last_used_at: Date | null;
        created_at: Date;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
}, string[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        items: {
            id: string;
            name: string;
            prefix: string;
            last4: string;
            scopes: ("admin" | "api.access" | "user.read" | "user.write")[];
            allowed_models: string[];
            ip_allowlist: string[];
            max_concurrency: number | null;
            spend_limit_nano_usd: string | null;
            limit_reset: "none" | "day" | "week" | "month";
            expires_at: Date | null;
            disabled: boolean;
            created_by: string | null;
            last_used_at: Date | null;
            created_at: Date;
        }[];
        pagination: {
            current_page: number;
            per_page: number;
            total_items: number;
            total_pages: number;
        };
    }, string[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<string[], {
    items: {
        id: string;
        name: string;
        prefix: string;
        last4: string;
        scopes: ("admin" | "api.access" | "user.read" | "user.write")[];
        allowed_models: string[];
        ip_allowlist: string[];
        max_concurrency: number | null;
        spend_limit_nano_usd: string | null;
        limit_reset: "none" | "day" | "week" | "month";
        expires_at: Date | null;
        disabled: boolean;
        created_by: string | null;
        last_used_at: Date | null;
        created_at: Date;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
}, Error>;
