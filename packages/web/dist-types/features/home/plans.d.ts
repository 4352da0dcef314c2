export declare const plansQuery: import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    items: {
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
    }[];
}, Error, {
    items: {
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
    }[];
}, string[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        items: {
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
        }[];
    }, string[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<string[], {
    items: {
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
    }[];
}, Error>;
