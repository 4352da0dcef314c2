/** What went wrong, in the form that the framework of errors gives it. */
export type PageError = {
    statusCode?: number;
    statusMessage?: string;
    message?: string;
    data?: string;
};
/** The words of an error: 'Not found' for 404; message and code of its data; else what the status or the error says. */
export declare function errorText({ statusCode, statusMessage, message, data }: PageError): string;
export declare function ErrorView({ error }: {
    error: PageError;
}): import("react").JSX.Element;
