// Error: contextual member reference to static property 'add' requires 'Self' constraint in the protocol extension
import Understudy

let log = CallLog<any TodoService>(expecting: .exactly(1, .add))
