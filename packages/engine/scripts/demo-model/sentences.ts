/**
 * What the demonstration model can say: it goes through these steps in order and says one variant of each. The
 * first variant is the most likely one, and the one that greedy decoding gives.
 */
export const STEPS: readonly (readonly string[])[] = [
  [
    "I am Feather's demonstration model.",
    "You are talking to the small demonstration model that ships with Feather.",
    "This reply comes from the demonstration model inside Feather.",
  ],
  [
    "I am a hand-built table of word pairs, and the real llama.cpp runs me on this machine.",
    "Inside me is nothing but a table of word pairs, written by hand; the real llama.cpp reads it, right on this machine.",
    "Every word is chosen by the real llama.cpp on this machine, from a table of word pairs that people wrote by hand.",
  ],
  [
    "I cannot answer questions, because these few sentences are all I know.",
    "Your message did arrive, but I do not understand it and I cannot answer questions.",
    "Please do not expect an answer to your question: I only follow one word with the next.",
  ],
  [
    "For real answers, start Ollama, vLLM or llama-server, or put the address of a backend into FEATHER_BACKENDS.",
    "A real model appears here once Ollama, vLLM or llama-server is running, or once you add a backend address.",
    "To talk with a real model, run Ollama, vLLM or llama-server next to Feather, or give it the address of another backend.",
  ],
];

/** How a JSON object starts when the caller asks for JSON of any shape. */
export const JSON_OPENING = '{"message": "';

/** Common English words, so that ordinary text is cut into words and word parts instead of single letters. */
export const COMMON_WORDS = `
the be to of and a in that have it for not on with he as you do at this but his by from they we say her she or an
will my one all would there their what so up out if about who get which go me when make can like time no just him
know take people into year your good some could them see other than then now look only come its over think also
back after use two how our work first well way even new want because any these give day most us is are was were
been has had did said each tell does set three air play small end put home read hand port large spell add land
here must big high such follow act why ask men change went light kind off need house picture try again animal
point mother world near build self earth father head stand own page should country found answer school grow study
still learn plant cover food sun four between state keep eye never last let thought city tree cross farm hard
start might story saw far sea draw left late run while press close night real life few north open seem together
next white children begin got walk example ease paper group always music those both mark often letter until mile
river car feet care second book carry took science eat room friend began idea fish mountain stop once base hear
horse cut sure watch color face wood main enough plain girl usual young ready above ever red list though feel talk
bird soon body dog family direct pose leave song measure door product black short numeral class wind question
happen complete ship area half rock order fire south problem piece told knew pass since top whole king space heard
best hour better true during hundred five remember step early hold west ground interest reach fast verb sing listen
six table travel less morning ten simple several vowel toward war lay against pattern slow center love person money
serve appear road map rain rule govern pull cold notice voice unit power town fine certain fly fall lead cry dark
machine note wait plan figure star box noun field rest correct able pound done beauty drive stood contain front
teach week final gave green quick develop ocean warm free minute strong special mind behind clear tail produce fact
street inch multiply nothing course stay wheel full force blue object decide surface deep moon island foot system
busy test record boat common gold possible plane stead dry wonder laugh thousand ago ran check game shape equate
hot miss brought heat snow tire bring yes distant fill east paint language among hello please thanks write explain
summary model token stream prompt code function server error message user assistant system data file string number
value return type class import export const async await JSON HTTP API what's I'm don't can't it's
`;
