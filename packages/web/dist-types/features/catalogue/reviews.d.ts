/** What users say of a model, and the form to say something oneself. */
export declare function Reviews({ id, signedIn }: {
    id: string;
    signedIn: boolean;
}): import("react").JSX.Element;
