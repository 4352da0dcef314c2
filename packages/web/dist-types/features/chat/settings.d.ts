/** Samplers with the range a person may set them in, and the value that changes nothing. */
export declare const SAMPLERS: readonly [{
    readonly name: "temperature";
    readonly label: "Temperature";
    readonly min: 0;
    readonly max: 2;
    readonly step: 0.05;
    readonly usual: 0.7;
}, {
    readonly name: "top_p";
    readonly label: "Top p";
    readonly min: 0.05;
    readonly max: 1;
    readonly step: 0.05;
    readonly usual: 1;
}, {
    readonly name: "min_p";
    readonly label: "Min p";
    readonly min: 0;
    readonly max: 1;
    readonly step: 0.01;
    readonly usual: 0;
}, {
    readonly name: "repetition_penalty";
    readonly label: "Repetition penalty";
    readonly min: 1;
    readonly max: 2;
    readonly step: 0.05;
    readonly usual: 1;
}, {
    readonly name: "max_tokens";
    readonly label: "Max tokens";
    readonly min: 16;
    readonly max: 8192;
    readonly step: 16;
    readonly usual: 1024;
}];
export type SamplerName = (typeof SAMPLERS)[number]["name"];
export type ChatSettings = {
    system: string;
} & Record<SamplerName, number>;
export declare const USUAL_SETTINGS: ChatSettings;
/** The parameters of a call: what is off is not sent, for backends that do not know it. */
export declare function toParameters({ temperature, top_p, min_p, repetition_penalty, max_tokens }: ChatSettings): {
    temperature: number;
    max_tokens: number;
    top_p?: number;
    min_p?: number;
    repetition_penalty?: number;
};
