/** The origin used in examples. It is replaced by the origin of the reader's server. */
export const EXAMPLE_ORIGIN = "http://localhost:4000";
