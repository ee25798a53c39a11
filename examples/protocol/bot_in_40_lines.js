// A bot that speaks the protocol itself: any legal move, in every game and in as many matches as it is invited to.
// Node 22 or later, no packages:  node bot_in_40_lines.js ws://127.0.0.1:8765 [NAME]

const url = process.argv[2] ?? "ws://127.0.0.1:8765";
const name = process.argv[3] ?? "forty lines of JS";

const server = new WebSocket(url, "arbitre.v1");
let id = 0; // each message has an id of ours; the server's ok or error repeats it

function send(type, fields) {
  id += 1;
  server.send(JSON.stringify({ type, id, ...fields }));
}

server.addEventListener("open", () => {
  send("hello", { protocol: 1, client: "forty-lines-js", kind: "bot", name });
});

server.addEventListener("message", (event) => {
  const message = JSON.parse(event.data);
  switch (message.type) {
    case "welcome":
      console.log(`ready ${message.name}`);
      break;
    case "invitation":
      send("join", { match: message.match });
      break;
    case "your_turn": {
      const move = message.legal[Math.floor(Math.random() * message.legal.length)];
      send("move", { match: message.match, ply: message.ply, move });
      break;
    }
    case "error":
      console.error(message.code, message.message);
  }
});

server.addEventListener("error", (event) => console.error(event.message ?? "no connection"));
