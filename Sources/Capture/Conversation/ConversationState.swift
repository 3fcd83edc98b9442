/// What a decoder knows of a connection's conversation.
struct ConversationState {
}
