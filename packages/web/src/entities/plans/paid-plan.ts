/** The id of the free plan, which organizations without another plan have. */
export const FREE_PLAN = "feather_lite";

/** Returns whether a plan is any but the free one, whatever it costs and whoever collects the payment. */
export const isPaidPlan = ({ id }: { id: string }): boolean => id !== FREE_PLAN;
