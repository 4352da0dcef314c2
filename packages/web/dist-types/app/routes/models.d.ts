export default function ModelsPage(): import("react").JSX.Element;
