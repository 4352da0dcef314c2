import type { Query, Schemas } from "@feather/sdk";
export type Model = Schemas["Model"];
export type ModelFilters = Query<"models.list">;
export declare const modelsQuery: (filters: ModelFilters) => import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    items: {
        id: string;
        name: string;
        owned_by: string;
        model_class: string;
        family: string | null;
        sub_type: string | null;
        parameter_size: number | null;
        active_parameters: number | null;
        context_length: number | null;
        max_completion_tokens: number | null;
        concurrency_cost: number;
        description: string;
        license: string | null;
        tags: string[];
        languages: string[];
        input_modalities: string[];
        output_modalities: string[];
        features: {
            tool_use: boolean;
            image_input: boolean;
            json_mode: boolean;
            reasoning: boolean;
        };
        pricing: {
            prompt: string;
            completion: string;
            image: string;
            request: string;
            input: number;
            output: number;
        } | null;
        architecture: string | null;
        base_model: string | null;
        favorites: number;
        downloads: number;
        avg_rating: number | null;
        total_reviews: number;
        is_gated: boolean | null;
        is_private: boolean;
        status: "active" | "pending_deploy" | "not_deployed";
        health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
        availability: {
            tier: "warm" | "loading" | "cold" | "offline";
            is_hot_live: boolean;
            is_hot_recent: boolean;
            loading_stage: string | null;
            loading_progress: number | null;
            estimated_ready_at: Date | null;
            checked_at: Date;
        };
        released_date: Date | null;
        created_at: Date;
        updated_at: Date;
        access?: {
            callable: boolean;
            reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
            effective_context_length: number | null;
            unlocked: boolean;
        };
        available_on_current_plan?: boolean;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
    facets?: {
        [key: string]: {
            value: string;
            label: string;
            count: number;
        }[];
    };
}, Error, {
    items: {
        id: string;
        name: string;
        owned_by: string;
        model_class: string;
        family: string | null;
        sub_type: string | null;
        parameter_size: number | null;
        active_parameters: number | null;
        context_length: number | null;
        max_completion_tokens: number | null;
        concurrency_cost: number;
        description: string;
        license: string | null;
        tags: string[];
        languages: string[];
        input_modalities: string[];
        output_modalities: string[];
        features: {
            tool_use: boolean;
            image_input: boolean;
            json_mode: boolean;
            reasoning: boolean;
        };
        pricing: {
            prompt: string;
            completion: string;
            image: string;
            request: string;
            input: number;
            output: number;
        } | null;
        architecture: string | null;
        base_model: string | null;
        favorites: number;
        downloads: number;
        avg_rating: number | null;
        total_reviews: number;
        is_gated: boolean | null;
        is_private: boolean;
        status: "active" | "pending_deploy" | "not_deployed";
        health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
        availability: {
            tier: "warm" | "loading" | "cold" | "offline";
            is_hot_live: boolean;
            is_hot_recent: boolean;
            loading_stage: string | null;
            loading_progress: number | null;
            estimated_ready_at: Date | null;
            checked_at: Date;
        };
        released_date: Date | null;
        created_at: Date;
        updated_at: Date;
        access?: {
            callable: boolean;
            reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
            effective_context_length: number | null;
            unlocked: boolean;
        };
        available_on_current_plan?: boolean;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
    facets?: {
        [key: string]: {
            value: string;
            label: string;
            count: number;
        }[];
    };
}, (string | {
    search?: string;
    family?: string;
    sub_type?: string;
    model_class?: string;
    owner?: string;
    tags?: string;
    modality?: "text" | "image";
    capability?: "tool_use" | "image_input" | "reasoning";
    license?: string;
    language?: string;
    min_params?: number;
    max_params?: number;
    min_context?: number;
    availability?: "warm" | "loading" | "cold" | "offline";
    gated?: boolean;
    callable?: boolean;
    released?: string;
    sort?: "-trending_rank" | "-downloads" | "-favorites" | "-released_date" | "-created_at" | "parameter_size" | "-parameter_size" | "-avg_rating" | "name";
    facets?: number;
    page?: number;
    perPage?: number;
    per_page?: number;
})[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        items: {
            id: string;
            name: string;
            owned_by: string;
            model_class: string;
            family: string | null;
            sub_type: string | null;
            parameter_size: number | null;
            active_parameters: number | null;
            context_length: number | null;
            max_completion_tokens: number | null;
            concurrency_cost: number;
            description: string;
            license: string | null;
            tags: string[];
            languages: string[];
            input_modalities: string[];
            output_modalities: string[];
            features: {
                tool_use: boolean;
                image_input: boolean;
                json_mode: boolean;
                reasoning: boolean;
            };
            pricing: {
                prompt: string;
                completion: string;
                image: string;
                request: string;
                input: number;
                output: number;
            } | null;
            architecture: string | null;
            base_model: string | null;
            favorites: number;
            downloads: number;
            avg_rating: number | null;
            total_reviews: number;
            is_gated: boolean | null;
            is_private: boolean;
            status: "active" | "pending_deploy" | "not_deployed";
            health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
            availability: {
                tier: "warm" | "loading" | "cold" | "offline";
                is_hot_live: boolean;
                is_hot_recent: boolean;
                loading_stage: string | null;
                loading_progress: number | null;
                estimated_ready_at: Date | null;
                checked_at: Date;
            };
            released_date: Date | null;
            created_at: Date;
            updated_at: Date;
            access?: {
                callable: boolean;
                reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
                effective_context_length: number | null;
                unlocked: boolean;
            };
            available_on_current_plan?: boolean;
        }[];
        pagination: {
            current_page: number;
            per_page: number;
            total_items: number;
            total_pages: number;
        };
        facets?: {
            [key: string]: {
                value: string;
                label: string;
                count: number;
            }[];
        };
    }, (string | {
        search?: string;
        family?: string;
        sub_type?: string;
        model_class?: string;
        owner?: string;
        tags?: string;
        modality?: "text" | "image";
        capability?: "tool_use" | "image_input" | "reasoning";
        license?: string;
        language?: string;
        min_params?: number;
        max_params?: number;
        min_context?: number;
        availability?: "warm" | "loading" | "cold" | "offline";
        gated?: boolean;
        callable?: boolean;
        released?: string;
        sort?: "-trending_rank" | "-downloads" | "-favorites" | "-released_date" | "-created_at" | "parameter_size" | "-parameter_size" | "-avg_rating" | "name";
        facets?: number;
        page?: number;
        perPage?: number;
        per_page?: number;
    })[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<(string | {
    search?: string;
    family?: string;
    sub_type?: string;
    model_class?: string;
    owner?: string;
    tags?: string;
    modality?: "text" | "image";
    capability?: "tool_use" | "image_input" | "reasoning";
    license?: string;
    language?: string;
    min_params?: number;
    max_params?: number;
    min_context?: number;
    availability?: "warm" | "loading" | "cold" | "offline";
    gated?: boolean;
    callable?: boolean;
    released?: string;
    sort?: "-trending_rank" | "-downloads" | "-favorites" | "-released_date" | "-created_at" | "parameter_size" | "-parameter_size" | "-avg_rating" | "name";
    facets?: number;
    page?: number;
    perPage?: number;
    per_page?: number;
})[], {
    items: {
        id: string;
        name: string;
        owned_by: string;
        model_class: string;
        family: string | null;
        sub_type: string | null;
        parameter_size: number | null;
        active_parameters: number | null;
        context_length: number | null;
        max_completion_tokens: number | null;
        concurrency_cost: number;
        description: string;
        license: string | null;
        tags: string[];
        languages: string[];
        input_modalities: string[];
        output_modalities: string[];
        features: {
            tool_use: boolean;
            image_input: boolean;
            json_mode: boolean;
            reasoning: boolean;
        };
        pricing: {
            prompt: string;
            completion: string;
            image: string;
            request: string;
            input: number;
            output: number;
        } | null;
        architecture: string | null;
        base_model: string | null;
        favorites: number;
        downloads: number;
        avg_rating: number | null;
        total_reviews: number;
        is_gated: boolean | null;
        is_private: boolean;
        status: "active" | "pending_deploy" | "not_deployed";
        health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
        availability: {
            tier: "warm" | "loading" | "cold" | "offline";
            is_hot_live: boolean;
            is_hot_recent: boolean;
            loading_stage: string | null;
            loading_progress: number | null;
            estimated_ready_at: Date | null;
            checked_at: Date;
        };
        released_date: Date | null;
        created_at: Date;
        updated_at: Date;
        access?: {
            callable: boolean;
            reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
            effective_context_length: number | null;
            unlocked: boolean;
        };
        available_on_current_plan?: boolean;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
    facets?: {
        [key: string]: {
            value: string;
            label: string;
            count: number;
        }[];
    };
}, Error>;
export declare const modelQuery: (id: string) => import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    id: string;
    name: string;
    owned_by: string;
    model_class: string;
    family: string | null;
    sub_type: string | null;
    parameter_size: number | null;
    active_parameters: number | null;
    context_length: number | null;
    max_completion_tokens: number | null;
    concurrency_cost: number;
    description: string;
    license: string | null;
    tags: string[];
    languages: string[];
    input_modalities: string[];
    output_modalities: string[];
    features: {
        tool_use: boolean;
        image_input: boolean;
        json_mode: boolean;
        reasoning: boolean;
    };
    pricing: {
        prompt: string;
        completion: string;
        image: string;
        request: string;
        input: number;
        output: number;
    } | null;
    architecture: string | null;
    base_model: string | null;
    favorites: number;
    downloads: number;
    avg_rating: number | null;
    total_reviews: number;
    is_gated: boolean | null;
    is_private: boolean;
    status: "active" | "pending_deploy" | "not_deployed";
    health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
    availability: {
        tier: "warm" | "loading" | "cold" | "offline";
        is_hot_live: boolean;
        is_hot_recent: boolean;
        loading_stage: string | null;
        loading_progress: number | null;
        estimated_ready_at: Date | null;
        checked_at: Date;
    };
    released_date: Date | null;
    created_at: Date;
    updated_at: Date;
    access?: {
        callable: boolean;
        reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
        effective_context_length: number | null;
        unlocked: boolean;
    };
    available_on_current_plan?: boolean;
} & {
    readme: string | null;
}, Error, {
    id: string;
    name: string;
    owned_by: string;
    model_class: string;
    family: string | null;
    sub_type: string | null;
    parameter_size: number | null;
    active_parameters: number | null;
    context_length: number | null;
    max_completion_tokens: number | null;
    concurrency_cost: number;
    description: string;
    license: string | null;
    tags: string[];
    languages: string[];
    input_modalities: string[];
    output_modalities: string[];
    features: {
        tool_use: boolean;
        image_input: boolean;
        json_mode: boolean;
        reasoning: boolean;
    };
    pricing: {
        prompt: string;
        completion: string;
        image: string;
        request: string;
        input: number;
        output: number;
    } | null;
    architecture: string | null;
    base_model: string | null;
    favorites: number;
    downloads: number;
    avg_rating: number | null;
    total_reviews: number;
    is_gated: boolean | null;
    is_private: boolean;
    status: "active" | "pending_deploy" | "not_deployed";
    health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
    availability: {
        tier: "warm" | "loading" | "cold" | "offline";
        is_hot_live: boolean;
        is_hot_recent: boolean;
        loading_stage: string | null;
        loading_progress: number | null;
        estimated_ready_at: Date | null;
        checked_at: Date;
    };
    released_date: Date | null;
    created_at: Date;
    updated_at: Date;
    access?: {
        callable: boolean;
        reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
        effective_context_length: number | null;
        unlocked: boolean;
    };
    available_on_current_plan?: boolean;
} & {
    readme: string | null;
}, string[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        id: string;
        name: string;
        owned_by: string;
        model_class: string;
        family: string | null;
        sub_type: string | null;
        parameter_size: number | null;
        active_parameters: number | null;
        context_length: number | null;
        max_completion_tokens: number | null;
        concurrency_cost: number;
        description: string;
        license: string | null;
        tags: string[];
        languages: string[];
        input_modalities: string[];
        output_modalities: string[];
        features: {
            tool_use: boolean;
            image_input: boolean;
            json_mode: boolean;
            reasoning: boolean;
        };
        pricing: {
            prompt: string;
            completion: string;
            image: string;
            request: string;
            input: number;
            output: number;
        } | null;
        architecture: string | null;
        base_model: string | null;
        favorites: number;
        downloads: number;
        avg_rating: number | null;
        total_reviews: number;
        is_gated: boolean | null;
        is_private: boolean;
        status: "active" | "pending_deploy" | "not_deployed";
        health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
        availability: {
            tier: "warm" | "loading" | "cold" | "offline";
            is_hot_live: boolean;
            is_hot_recent: boolean;
            loading_stage: string | null;
            loading_progress: number | null;
            estimated_ready_at: Date | null;
            checked_at: Date;
        };
        released_date: Date | null;
        created_at: Date;
        updated_at: Date;
        access?: {
            callable: boolean;
            reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
            effective_context_length: number | null;
            unlocked: boolean;
        };
        available_on_current_plan?: boolean;
    } & {
        readme: string | null;
    }, string[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<string[], {
    id: string;
    name: string;
    owned_by: string;
    model_class: string;
    family: string | null;
    sub_type: string | null;
    parameter_size: number | null;
    active_parameters: number | null;
    context_length: number | null;
    max_completion_tokens: number | null;
    concurrency_cost: number;
    description: string;
    license: string | null;
    tags: string[];
    languages: string[];
    input_modalities: string[];
    output_modalities: string[];
    features: {
        tool_use: boolean;
        image_input: boolean;
        json_mode: boolean;
        reasoning: boolean;
    };
    pricing: {
        prompt: string;
        completion: string;
        image: string;
        request: string;
        input: number;
        output: number;
    } | null;
    architecture: string | null;
    base_model: string | null;
    favorites: number;
    downloads: number;
    avg_rating: number | null;
    total_reviews: number;
    is_gated: boolean | null;
    is_private: boolean;
    status: "active" | "pending_deploy" | "not_deployed";
    health: "HEALTHY" | "UNHEALTHY" | "OFFLINE";
    availability: {
        tier: "warm" | "loading" | "cold" | "offline";
        is_hot_live: boolean;
        is_hot_recent: boolean;
        loading_stage: string | null;
        loading_progress: number | null;
        estimated_ready_at: Date | null;
        checked_at: Date;
    };
    released_date: Date | null;
    created_at: Date;
    updated_at: Date;
    access?: {
        callable: boolean;
        reasons: ("gated" | "plan_model_size" | "plan_context" | "not_on_plan" | "cold" | "private" | "disabled")[];
        effective_context_length: number | null;
        unlocked: boolean;
    };
    available_on_current_plan?: boolean;
} & {
    readme: string | null;
}, Error>;
export declare const statsQuery: import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    model_count: number;
    family_count: number;
    release_count: number;
    warm_count: number;
    requests_24h: number;
    tokens_24h: number;
}, Error, {
    model_count: number;
    family_count: number;
    release_count: number;
    warm_count: number;
    requests_24h: number;
    tokens_24h: number;
}, string[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        model_count: number;
        family_count: number;
        release_count: number;
        warm_count: number;
        requests_24h: number;
        tokens_24h: number;
    }, string[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<string[], {
    model_count: number;
    family_count: number;
    release_count: number;
    warm_count: number;
    requests_24h: number;
    tokens_24h: number;
}, Error>;
export declare const ratesQuery: import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    window_s: number;
    updated_at: Date;
    items: {
        model_class: string;
        requests: number;
        errors: number;
        error_rate: number;
        p50_ttft_ms: number | null;
        p95_ttft_ms: number | null;
        tokens_per_s: number | null;
        state: "operational" | "degraded" | "down";
    }[];
}, Error, {
    window_s: number;
    updated_at: Date;
    items: {
        model_class: string;
        requests: number;
        errors: number;
        error_rate: number;
        p50_ttft_ms: number | null;
        p95_ttft_ms: number | null;
        tokens_per_s: number | null;
        state: "operational" | "degraded" | "down";
    }[];
}, string[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        window_s: number;
        updated_at: Date;
        items: {
            model_class: string;
            requests: number;
            errors: number;
            error_rate: number;
            p50_ttft_ms: number | null;
            p95_ttft_ms: number | null;
            tokens_per_s: number | null;
            state: "operational" | "degraded" | "down";
        }[];
    }, string[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<string[], {
    window_s: number;
    updated_at: Date;
    items: {
        model_class: string;
        requests: number;
        errors: number;
        error_rate: number;
        p50_ttft_ms: number | null;
        p95_ttft_ms: number | null;
        tokens_per_s: number | null;
        state: "operational" | "degraded" | "down";
    }[];
}, Error>;
export declare const reviewsQuery: (id: string) => import("@tanstack/react-query").OmitKeyof<import("@tanstack/react-query").UseQueryOptions<{
    items: {
        id: string;
        user: {
            name: string;
            avatar: string | null;
        };
        rating: number;
        review: string;
        tags: string[];
        helpful_count: number;
        verified_caller: boolean;
        mine: boolean;
        created_at: Date;
        updated_at: Date;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
    summary: {
        avg: number | null;
        count: number;
        histogram: number[];
        tag_counts: {
            [key: string]: number;
        };
    };
}, Error, {
    items: {
        id: string;
        user: {
            name: string;
            avatar: string | null;
        };
        rating: number;
        review: string;
        tags: string[];
        helpful_count: number;
        verified_caller: boolean;
        mine: boolean;
        created_at: Date;
        updated_at: Date;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
    summary: {
        avg: number | null;
        count: number;
        histogram: number[];
        tag_counts: {
            [key: string]: number;
        };
    };
}, string[]>, "queryFn"> & {
    queryFn?: import("@tanstack/react-query").QueryFunction<{
        items: {
            id: string;
            user: {
                name: string;
                avatar: string | null;
            };
            rating: number;
            review: string;
            tags: string[];
            helpful_count: number;
            verified_caller: boolean;
            mine: boolean;
            created_at: Date;
            updated_at: Date;
        }[];
        pagination: {
            current_page: number;
            per_page: number;
            total_items: number;
            total_pages: number;
        };
        summary: {
            avg: number | null;
            count: number;
            histogram: number[];
            tag_counts: {
                [key: string]: number;
            };
        };
    }, string[], never>;
} & import("@tanstack/react-query").QueryKeyWithDataTag<string[], {
    items: {
        id: string;
        user: {
            name: string;
            avatar: string | null;
        };
        rating: number;
        review: string;
        tags: string[];
        helpful_count: number;
        verified_caller: boolean;
        mine: boolean;
        created_at: Date;
        updated_at: Date;
    }[];
    pagination: {
        current_page: number;
        per_page: number;
        total_items: number;
        total_pages: number;
    };
    summary: {
        avg: number | null;
        count: number;
        histogram: number[];
        tag_counts: {
            [key: string]: number;
        };
    };
}, Error>;
