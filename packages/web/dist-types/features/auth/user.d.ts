import { type Schemas } from "@feather/sdk";
export type User = Schemas["User"];
/** The signed-in user; null when there is none or they cannot be loaded. */
export declare const userQuery: import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    id: string;
    email: string;
    username: string;
    name: string;
    is_admin: boolean;
    email_verified: boolean;
    organization: {
        id: string;
        name: string;
        role: "admin" | "editor" | "developer" | "viewer";
        current_subscription: {
            id: string | null;
            status: "trialing" | "active" | "past_due" | "paused" | "canceled";
            plan: {
                id: string;
                name: string;
                description: string;
                audience: "individual" | "business" | "custom";
                billing_mode: "subscription" | "request_pricing";
                price_usd_cents: number | null;
                interval: "month" | "year";
                unit_based: boolean;
                min_quantity: number;
                max_quantity: number;
                concurrency: number | null;
                max_model_size: number | null;
                max_context_length: number | null;
                model_switches_per_minute: number | null;
                daily_request_limit: number | null;
                private_models: number | null;
                private_cloud: boolean;
                api_keys_max: number;
                trial_days: number;
                features: string[];
                is_public: boolean;
            };
            quantity: number;
            current_period_start_date: Date;
            current_period_end_date: Date | null;
            cancel_at_period_end: boolean;
            coupon: {
                code: string;
                percent_off: number | null;
                amount_off_cents: number | null;
                duration: "once" | "repeating" | "forever";
                months: number | null;
                applies_to: string[];
                redeem_by_date: Date | null;
                max_redemptions: number | null;
                valid: boolean;
                reason: string | null;
            } | null;
            pending_change: {
                plan_id: string;
                quantity: number;
                effective_date: Date;
            } | null;
            trial_end_date: Date | null;
        };
    };
    referral_reward: {
        method: "credits" | "commission";
    };
    impersonated_by: string | null;
    created_at: Date;
} | null, Error, {
    id: string;
    email: string;
    username: string;
    name: string;
    is_admin: boolean;
    email_verified: boolean;
    organization: {
        id: string;
        name: string;
        role: "admin" | "editor" | "developer" | "viewer";
        current_subscription: {
            id: string | null;
            status: "trialing" | "active" | "past_due" | "paused" | "canceled";
            plan: {
                id: string;
                name: string;
                description: string;
                audience: "individual" | "business" | "custom";
                billing_mode: "subscription" | "request_pricing";
                price_usd_cents: number | null;
                interval: "month" | "year";
                unit_based: boolean;
                min_quantity: number;
                max_quantity: number;
                concurrency: number | null;
                max_model_size: number | null;
                max_context_length: number | null;
                model_switches_per_minute: number | null;
                daily_request_limit: number | null;
                private_models: number | null;
                private_cloud: boolean;
                api_keys_max: number;
                trial_days: number;
                features: string[];
                is_public: boolean;
            };
            quantity: number;
            current_period_start_date: Date;
            current_period_end_date: Date | null;
            cancel_at_period_end: boolean;
            coupon: {
                code: string;
                percent_off: number | null;
                amount_off_cents: number | null;
                duration: "once" | "repeating" | "forever";
                months: number | null;
                applies_to: string[];
                redeem_by_date: Date | null;
                max_redemptions: number | null;
                valid: boolean;
                reason: string | null;
            } | null;
            pending_change: {
                plan_id: string;
                quantity: number;
                effective_date: Date;
            } | null;
            trial_end_date: Date | null;
        };
    };
    referral_reward: {
        method: "credits" | "commission";
    };
    impersonated_by: string | null;
    created_at: Date;
} | null, string[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        id: string;
        email: string;
        username: string;
        name: string;
        is_admin: boolean;
        email_verified: boolean;
        organization: {
            id: string;
            name: string;
            role: "admin" | "editor" | "developer" | "viewer";
            current_subscription: {
                id: string | null;
                status: "trialing" | "active" | "past_due" | "paused" | "canceled";
                plan: {
                    id: string;
                    name: string;
                    description: string;
                    audience: "individual" | "business" | "custom";
                    billing_mode: "subscription" | "request_pricing";
                    price_usd_cents: number | null;
                    interval: "month" | "year";
                    unit_based: boolean;
                    min_quantity: number;
                    max_quantity: number;
                    concurrency: number | null;
                    max_model_size: number | null;
                    max_context_length: number | null;
                    model_switches_per_minute: number | null;
                    daily_request_limit: number | null;
                    private_models: number | null;
                    private_cloud: boolean;
                    api_keys_max: number;
                    trial_days: number;
                    features: string[];
                    is_public: boolean;
                };
                quantity: number;
                current_period_start_date: Date;
                current_period_end_date: Date | null;
                cancel_at_period_end: boolean;
                coupon: {
                    code: string;
                    percent_off: number | null;
                    amount_off_cents: number | null;
                    duration: "once" | "repeating" | "forever";
                    months: number | null;
                    applies_to: string[];
                    redeem_by_date: Date | null;
                    max_redemptions: number | null;
                    valid: boolean;
                    reason: string | null;
                } | null;
                pending_change: {
                    plan_id: string;
                    quantity: number;
                    effective_date: Date;
                } | null;
                trial_end_date: Date | null;
            };
        };
        referral_reward: {
            method: "credits" | "commission";
        };
        impersonated_by: string | null;
        created_at: Date;
    } | null, string[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<string[], {
    id: string;
    email: string;
    username: string;
    name: string;
    is_admin: boolean;
    email_verified: boolean;
    organization: {
        id: string;
        name: string;
        role: "admin" | "editor" | "developer" | "viewer";
        current_subscription: {
            id: string | null;
            status: "trialing" | "active" | "past_due" | "paused" | "canceled";
            plan: {
                id: string;
                name: string;
                description: string;
                audience: "individual" | "business" | "custom";
                billing_mode: "subscription" | "request_pricing";
                price_usd_cents: number | null;
                interval: "month" | "year";
                unit_based: boolean;
                min_quantity: number;
                max_quantity: number;
                concurrency: number | null;
                max_model_size: number | null;
                max_context_length: number | null;
                model_switches_per_minute: number | null;
                daily_request_limit: number | null;
                private_models: number | null;
                private_cloud: boolean;
                api_keys_max: number;
                trial_days: number;
                features: string[];
                is_public: boolean;
            };
            quantity: number;
            current_period_start_date: Date;
            current_period_end_date: Date | null;
            cancel_at_period_end: boolean;
            coupon: {
                code: string;
                percent_off: number | null;
                amount_off_cents: number | null;
                duration: "once" | "repeating" | "forever";
                months: number | null;
                applies_to: string[];
                redeem_by_date: Date | null;
                max_redemptions: number | null;
                valid: boolean;
                reason: string | null;
            } | null;
            pending_change: {
                plan_id: string;
                quantity: number;
                effective_date: Date;
            } | null;
            trial_end_date: Date | null;
        };
    };
    referral_reward: {
        method: "credits" | "commission";
    };
    impersonated_by: string | null;
    created_at: Date;
} | null, Error>;
export declare function useUser(): {
    user: User | null;
    loading: boolean;
};
/** What signing in and out do to what the site knows. */
export declare function useSession(): {
    signedIn(user: User): void;
    logOut(): Promise<void>;
};
