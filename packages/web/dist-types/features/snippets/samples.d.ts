/** The same call in four languages, ready to be copied. */
export declare function callSamples(model: string, origin: string): {
    name: string;
    code: string;
}[];
