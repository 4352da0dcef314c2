/** Markdown from models and people, made harmless. The renderer is loaded when the first text is shown. */
export declare function Markdown({ text, streaming }: {
    text: string;
    streaming?: boolean;
}): import("react").JSX.Element;
