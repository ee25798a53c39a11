/** What the studio says, in English and in French; what is said elsewhere too stands in ../texts.js. */

import { filled } from "../texts.js";

/** @type {Record<string, [string, string]>} */
export const TEXTS = {
  studio: ["Studio", "Studio"],
  missing: ["Python is not installed on this server. Whoever runs it types, once:", "Python n’est pas installé sur ce serveur. La personne qui s’en occupe tape, une seule fois :"],
  missingMore: ["It needs the internet for a minute; afterwards pupils need nothing but this page.", "Il faut internet pendant une minute ; ensuite, les élèves n’ont besoin que de cette page."],
  lookAgain: ["Look again", "Vérifier de nouveau"],
  code: ["Your code", "Votre code"],
  leaveEditor: ["In your code, Tab indents; Escape, then Tab, leads out of it.", "Dans votre code, Tab décale ; Échap, puis Tab, en fait sortir."],
  output: ["What it prints, and what is wrong", "Ce qu’il affiche, et ce qui ne va pas"],
  file: ["File", "Fichier"],
  newFile: ["New", "Nouveau"],
  erase: ["Erase", "Effacer"],
  eraseSure: ["Really erase {name}?", "Vraiment effacer {name} ?"],
  eraseAllSure: ["Really erase all files from this browser?", "Vraiment effacer tous les fichiers de ce navigateur ?"],
  eraseAll: ["Erase all", "Tout effacer"],
  fileName: ["Name of the file", "Nom du fichier"],
  open: ["Open a file", "Ouvrir un fichier"],
  savePy: ["Save as .py", "Enregistrer en .py"],
  saveNotebook: ["Save as .ipynb", "Enregistrer en .ipynb"],
  noNotebook: ["{name} is no notebook that can be read.", "{name} n’est pas un notebook lisible."],
  unreadable: ["{name} can’t be read: open it again.", "{name} est illisible : ouvrez-le de nouveau."],
  tooLong: ["{name} is too long for the studio: at most {size} characters.", "{name} est trop long pour le studio : {size} caractères au plus."],
  notKept: ["This browser keeps nothing: save your file before you leave.", "Ce navigateur ne garde rien : enregistrez votre fichier avant de partir."],
  keptHere: ["Kept in this browser.", "Gardé dans ce navigateur."],
  check: ["Check", "Vérifier"],
  run: ["Run", "Jouer"],
  stop: ["Stop", "Arrêter"],
  starting: ["Python starts ...", "Python démarre..."],
  ready: ["Python is ready ({seconds} s).", "Python est prêt ({seconds} s)."],
  noStart: ["Python does not start in this browser ({error}). Load the page again; if it stays so, try a newer browser.", "Python ne démarre pas dans ce navigateur ({error}). Rechargez la page ; si cela ne change rien, essayez un navigateur plus récent."],
  loadsWell: ["{file} is ready: {function} is asked, for {games}.", "{file} est prêt : on interrogera {function}, pour {games}."],
  seeBelow: ["{file} can’t be asked: what is wrong stands below the code.", "{file} ne peut pas être interrogé : ce qui ne va pas est dit sous le code."],
  hung: ["The file did not end: it was stopped. Is there an endless loop outside of all functions?", "Le fichier ne s’est pas terminé : il a été arrêté. Y a-t-il une boucle infinie en dehors des fonctions ?"],
  broke: ["Python itself has stopped ({error}). A new one takes over.", "Python lui-même s’est arrêté ({error}). Un nouveau prend la suite."],
  notThisGame: ["{function} does not play {game}. It plays: {games}.", "{function} ne joue pas à {game}, mais à : {games}."],
  against: ["Against", "Contre"],
  itself: ["itself", "lui-même"],
  nobodyHere: ["No bot of the house is here: your bot plays against itself.", "Aucun bot de la maison n’est là : votre bot joue contre lui-même."],
  time: ["Time", "Temps"],
  seat: ["Your bot plays", "Votre bot joue"],
  botName: ["Name of your bot", "Nom de votre bot"],
  botOf: ["{name}’s bot", "{name} (bot)"],
  takeSeat: ["Take a seat", "Prendre une place"],
  matchCode: ["Code of a match or league", "Code d’une partie ou d’une ligue"],
  personal: ["Personal code, if the league asks for one", "Code personnel, si la ligue en demande un"],
  codeOfCard: ["Eight letters are the code of your card: it goes in the second field. The first one takes six letters, of a match or a league.", "Huit lettres, c’est le code de votre carte : il va dans le second champ. Le premier attend six lettres, d’une partie ou d’une ligue."],
  joinMatch: ["Join the match", "Rejoindre la partie"],
  enterLeague: ["Enter the league", "Entrer dans la ligue"],
  entered: ["{name} is in the league, and plays when it is invited. Leave this page open.", "{name} est dans la ligue et jouera quand on l’invitera. Laissez cette page ouverte."],
  joined: ["{name} is in the match.", "{name} est dans la partie."],
  outOfLeague: ["{name} is no longer in the league.", "{name} n’est plus dans la ligue."],
  lostWay: ["The connection of your bot is lost; it comes back by itself.", "La connexion de votre bot est coupée ; elle revient toute seule."],
  playing: ["{name} plays.", "{name} joue."],
  stopped: ["Your bot is stopped.", "Votre bot est arrêté."],

  // in a class
  enterClass: ["Play in the class’s leagues", "Jouer dans les ligues de la classe"],
  openGiven: ["Open {file}, which your teacher gives", "Ouvrir {file}, que donne votre prof"],
  takeOver: ["Take over what was written here outside the class: {files}", "Reprendre ce qui a été écrit ici hors de la classe : {files}"],
  classNotIn: ["You are not in the class yet.", "Vous n’êtes pas encore dans la classe."],
  copyKept: ["Your teacher’s computer keeps a copy.", "L’ordinateur de votre prof garde une copie."],
  bothKept: ["{file} was changed on another device, too: the older one is here as {other}.", "{file} a aussi été modifié sur un autre appareil : le plus ancien est ici sous le nom {other}."],
  eraseAllSureClass: ["Really erase all files from this browser, and your teacher’s copy?", "Vraiment effacer tous les fichiers de ce navigateur, et la copie de votre prof ?"],
  copyTaken: ["{file} was newer on your teacher’s computer: that copy is shown.", "{file} était plus récent sur l’ordinateur de votre prof : c’est cette copie qui est montrée."],
  copyErased: ["The copy on your teacher’s computer is erased, too.", "La copie de l’ordinateur de votre prof est effacée aussi."],
};

/**
 * Says a text of the studio.
 * @param {"en" | "fr"} language
 * @returns {App.Speaker}
 */
export function speaker(language) {
  const place = language === "fr" ? 1 : 0;
  return (key, values = {}) => filled(TEXTS[key]?.[place] ?? key, values);
}

/** @type {Record<"en" | "fr", string>} what a new file holds: it plays every game; lines, since what is served is not indented */
export const FIRST = {
  en: [
    '# This bot is asked for a move whenever it is its turn. It may use:',
    '#   position.legal_moves()  the legal moves, such as "d3" or "4"',
    '#   position.to_move        who plays: 1 or 2',
    '#   position.cell(x, y)     1, 2 or None; (0, 0) is on top left',
    '#   position.play(move)     the position after a move',
    '#   position.outcome()      None as long as the game goes on',
    '# For lists instead of a position, define in the place of choose:',
    '#   def choose_from(rows, player, moves):  (rows of 0, 1 and 2)',
    '#       return moves[0]',
    '',
    'import random',
    '',
    '',
    'def choose(position):',
    '    """Return one of the legal moves."""',
    '    moves = position.legal_moves()',
    '    print("Legal moves:", moves)',
    '    return random.choice(moves)',
    '',
  ].join("\n"),
  fr: [
    '# On demande un coup à ce bot quand c’est son tour. Il dispose de :',
    '#   position.legal_moves()  les coups permis, comme "d3" ou "4"',
    '#   position.to_move        qui joue : 1 ou 2',
    '#   position.cell(x, y)     1, 2 ou None ; (0, 0) : en haut à gauche',
    '#   position.play(coup)     la position après un coup',
    '#   position.outcome()      None tant que la partie dure',
    '# Pour des listes, définissez à la place de choose :',
    '#   def choisir_parmi(plateau, joueur, coups):  (lignes de 0, 1, 2)',
    '#       return coups[0]',
    '',
    'import random',
    '',
    '',
    'def choose(position):',
    '    """Renvoie un des coups permis."""',
    '    coups = position.legal_moves()',
    '    print("Coups permis :", coups)',
    '    return random.choice(coups)',
    '',
  ].join("\n"),
};
