/** What the page says, in French and English, and which of both it speaks. */

/** @type {Record<string, [string, string]>} each in English and in French */
const TEXTS = {
  lobby: ["Lobby", "Accueil"],
  newGame: ["New game", "Nouvelle partie"],
  game: ["Game", "Jeu"],
  clock: ["Clock", "Pendule"],
  noClock: ["no clock", "sans pendule"],
  perMove: ["{time} a move", "{time} par coup"],
  youPlay: ["You play", "Vous jouez"],
  first: ["first", "en premier"],
  second: ["second", "en second"],
  random: ["either", "au hasard"],
  isPrivate: ["Private: only with the link or the code", "Privée : seulement avec le lien ou le code"],
  create: ["Create", "Créer"],
  joinCode: ["Code of a private game", "Code d’une partie privée"],
  join: ["Join", "Rejoindre"],
  watch: ["Watch", "Regarder"],
  back: ["Back to the game", "Reprendre"],
  openGames: ["Waiting for a player", "En attente d’un joueur"],
  liveGames: ["Being played", "En cours"],
  people: ["Here now", "Ici en ce moment"],
  noOpenGames: ["Nobody waits at the moment: create a game.", "Personne n’attend en ce moment : créez une partie."],
  noLiveGames: ["No game is being played.", "Aucune partie n’est en cours."],
  nobody: ["Nobody else is here.", "Personne d’autre n’est là."],
  challenge: ["Challenge", "Défier"],
  bot: ["bot", "bot"],
  away: ["away", "absent"],
  you: ["you", "vous"],
  freeSeat: ["free seat", "place libre"],
  yourName: ["Your name", "Votre nom"],
  change: ["Change", "Changer"],
  keep: ["Save", "Enregistrer"],
  cancel: ["Cancel", "Annuler"],
  guest: ["Guest", "Invité"],
  moves: ["Moves", "Coups"],
  talk: ["Talk", "Discussion"],
  saySomething: ["Say something", "Écrivez un message"],
  send: ["Send", "Envoyer"],
  viewers: ["{count} watching", "{count} spectateurs"],
  oneViewer: ["1 watching", "1 spectateur"],
  yourTurn: ["Your turn.", "À vous de jouer."],
  theirTurn: ["{name} to move.", "Au tour de {name}."],
  hasPassed: ["{name} has no move and passes.", "{name} ne peut pas jouer et passe."],
  moveSaid: ["{name}: {move}.", "{name} : {move}."],
  waiting: ["Waiting for a second player.", "En attente d’un second joueur."],
  paused: ["Paused by the organiser.", "En pause : l’organisateur l’a demandé."],
  invite: ["Whoever opens this link plays against you:", "Qui ouvre ce lien joue contre vous :"],
  orCode: ["or types this code:", "ou tape ce code :"],
  resign: ["Resign", "Abandonner"],
  resignSure: ["Give this game up?", "Abandonner cette partie ?"],
  yesResign: ["Yes, resign", "Oui, abandonner"],
  abort: ["Call off", "Annuler la partie"],
  offerDraw: ["Offer a draw", "Proposer la nulle"],
  takeback: ["Take back", "Reprendre le coup"],
  rematch: ["Rematch", "Revanche"],
  toNext: ["Go to the rematch", "Aller à la revanche"],
  claim: ["Claim the win", "Réclamer la victoire"],
  claimLater: ["{name} is away. In {time} you may claim the win.", "{name} est absent. Dans {time}, vous pourrez réclamer la victoire."],
  claimNow: ["{name} is away: you may claim the win, or wait.", "{name} est absent : réclamez la victoire, ou attendez."],
  draw: ["a draw", "la nulle"],
  takebackNoun: ["to take back the last move", "de reprendre le dernier coup"],
  rematchNoun: ["a rematch", "une revanche"],
  offers: ["{name} offers {what}.", "{name} propose {what}."],
  youOffer: ["You offer {what}.", "Vous proposez {what}."],
  accept: ["Accept", "Accepter"],
  decline: ["Decline", "Refuser"],
  withdraw: ["Withdraw", "Retirer"],
  flip: ["Flip the board", "Retourner le plateau"],
  leave: ["Back to the lobby", "Retour à l’accueil"],
  start: ["First position", "Première position"],
  previous: ["Previous", "Précédent"],
  next: ["Next", "Suivant"],
  end: ["Last position", "Dernière position"],
  typed: ["Type a move", "Tapez un coup"],
  play: ["Play", "Jouer"],
  board: ["Board", "Plateau"],
  empty: ["empty", "vide"],
  piece1: ["first player", "premier joueur"],
  piece2: ["second player", "second joueur"],
  replay: ["Replay", "Revoir"],
  replayOf: ["Replay of a game", "Revoir une partie"],
  movesOf: ["Its moves", "Ses coups"],
  show: ["Show", "Montrer"],
  position: ["Move {ply} of {count}", "Coup {ply} sur {count}"],
  lost: ["Connection lost. Trying again in {time} s.", "Connexion perdue. Nouvel essai dans {time} s."],
  trying: ["Connection lost. Trying again ...", "Connexion perdue. Nouvel essai..."],
  tryNow: ["Try now", "Essayer maintenant"],
  replaced: ["This page is open in another tab, which plays now.", "Cette page est ouverte dans un autre onglet, qui joue à présent."],
  playHere: ["Play here", "Jouer ici"],
  password: ["This server asks for a password.", "Ce serveur demande un mot de passe."],
  enter: ["Enter", "Entrer"],
  invitation: ["{name} asks you to play {game} ({clock}).", "{name} vous invite à jouer : {game} ({clock})."],
  noSuchMatch: ["There is no such game, or it is over and forgotten.", "Cette partie n’existe pas, ou elle est finie et oubliée."],
  noSuchLink: ["This link leads nowhere any more: the game is full or over.", "Ce lien ne mène plus nulle part : la partie est complète ou finie."],
  noSuchPage: ["There is nothing at this address.", "Il n’y a rien à cette adresse."],
  loading: ["One moment ...", "Un instant..."],
  wins: ["{name} wins: {why}.", "{name} gagne : {why}."],
  lostBy_resign: ["{name} resigned", "{name} a abandonné"],
  lostBy_timeout: ["{name} ran out of time", "{name} a dépassé son temps"],
  lostBy_abandoned: ["{name} left the game", "{name} a quitté la partie"],
  lostBy_illegal: ["{name} broke the rules", "{name} n’a pas respecté les règles"],
  lostBy_crash: ["{name} crashed", "{name} est tombé en panne"],
  decided: ["decided by the referee", "décision de l’arbitre"],
  byRules: ["by the rules of the game", "d’après les règles du jeu"],
  aborted: ["The game was called off: no result.", "La partie est annulée : pas de résultat."],
  agreement: ["Draw by agreement.", "Nulle par accord mutuel."],
  bothLeft: ["Both players left: no winner.", "Les deux joueurs sont partis : pas de gagnant."],
  drawn: ["Draw.", "Nulle."],
  why_not_a_move: ["That is not how a move is written.", "Un coup ne s’écrit pas ainsi."],
  why_off_board: ["That is off the board.", "C’est hors du plateau."],
  why_occupied: ["That square is taken.", "Cette case est occupée."],
  why_flips_nothing: ["That would flip nothing.", "Ce coup ne retournerait rien."],
  why_column_full: ["That column is full.", "Cette colonne est pleine."],
  why_forbidden: ["The rules don’t allow that.", "Les règles ne le permettent pas."],
  why_game_over: ["The game is over.", "La partie est finie."],
  code_not_your_turn: ["It is not your turn.", "Ce n’est pas votre tour."],
  code_stale_ply: ["The game has gone on meanwhile.", "La partie a continué entre-temps."],
  code_rate_limited: ["Slower, please.", "Moins vite, s’il vous plaît."],
  code_name_taken: ["That name is taken: choose another.", "Ce nom est déjà pris : choisissez-en un autre."],
  code_bad_name: ["That can’t be a name here: letters and digits.", "Ce ne peut pas être un nom ici : des lettres et des chiffres."],
  code_bad_rules: ["These rules are not possible.", "Ces règles ne sont pas possibles."],
  code_bad_code: ["There is no game with that code.", "Aucune partie n’a ce code."],
  code_no_such_match: ["There is no game with that code.", "Aucune partie n’a ce code."],
  code_no_such_player: ["They have just left.", "Cette personne vient de partir."],
  code_busy: ["They have no room for another game now.", "Pas de place pour une autre partie en ce moment."],
  code_seat_taken: ["Both seats are taken: you can watch.", "Les deux places sont prises : vous pouvez regarder."],
  code_server_full: ["The server has no room at the moment.", "Le serveur n’a plus de place pour le moment."],
  code_bad_message: ["That can’t be read.", "Cela ne peut pas être lu."],
  code_offline: ["No connection at the moment.", "Pas de connexion pour le moment."],
  otherRefusal: ["The server refused that ({code}).", "Le serveur a refusé ({code})."],
};

export const LANGUAGES = /** @type {const} */ (["en", "fr"]);

/** The language of the page: the one asked for in the address, the one chosen before, or the browser's. */
export function chooseLanguage() {
  const asked = new URLSearchParams(location.search).get("lang");
  const kept = read("arbitre.language");
  const wanted = [asked, kept, ...navigator.languages.map((name) => name.slice(0, 2))];
  const found = wanted.find((name) => name === "fr" || name === "en") ?? "en";
  if (asked === found) keep(found);
  return /** @type {"en" | "fr"} */ (found);
}

/** @param {"en" | "fr"} language */
export function keep(language) {
  try {
    localStorage.setItem("arbitre.language", language);
  } catch {
    // it is asked again next time
  }
}

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Says things in one language.
 * @param {"en" | "fr"} language
 * @returns {(key: string, values?: Record<string, any>) => string}
 */
export function speaker(language) {
  const place = language === "fr" ? 1 : 0;
  return (key, values = {}) => filled(TEXTS[key]?.[place] ?? key, values);
}

/** @param {string} code */
export const isKnown = (code) => code in TEXTS;

/**
 * A template with its {placeholders} filled, and French spaces that don't break.
 * @param {string} template
 * @param {Record<string, any>} values
 */
export function filled(template, values) {
  const text = template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  return text.replace(/ ([:;?!»])/g, "\u00a0$1").replace(/« /g, "«\u00a0");
}

/**
 * Why a request was refused, for people.
 * @param {any} error
 * @param {(key: string, values?: Record<string, any>) => string} t
 */
export function refusalText(error, t) {
  if (error.code === undefined) return t("code_offline");
  const why = `why_${error.data?.why}`;
  if (error.code === "illegal_move" && isKnown(why)) return t(why);
  const known = `code_${error.code}`;
  return isKnown(known) ? t(known) : t("otherRefusal", { code: error.code });
}
